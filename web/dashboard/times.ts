import { timeAt } from '#words';

/** A moment of a sale, which may have lasted for weeks. */
export function momentOf(time: string, timeZone: string | undefined): string {
  return timeAt(time, { dateStyle: 'medium', timeStyle: 'medium' }, timeZone);
}

/** In a storm a minute has thousands of lines: seconds tell them apart. */
export function clockSeconds(time: string, timeZone: string | undefined): string {
  return timeAt(time, { hour: '2-digit', minute: '2-digit', second: '2-digit' }, timeZone);
}
