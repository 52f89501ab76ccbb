import { t } from '#words';

/** A moment of a sale, which may have lasted for weeks. */
export function momentOf(time: string): string {
  return new Date(time).toLocaleString(t().locale, { dateStyle: 'medium', timeStyle: 'medium' });
}

/** In a storm a minute has thousands of lines: seconds tell them apart. */
export function clockSeconds(time: string): string {
  return new Date(time).toLocaleTimeString(t().locale, {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
}
