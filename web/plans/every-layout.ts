import type { LayoutVersion } from '@voelgoed/client/client';
import { desk } from '#desk';

const PAGE = 500;
/** A list of more than this is nobody's; the newest are missing then, and the search is the API. */
const MOST_PAGES = 20;

/** Every version of every layout, page after page. */
export async function everyLayout(): Promise<LayoutVersion[]> {
  const all: LayoutVersion[] = [];
  for (let page = 0; page < MOST_PAGES; page++) {
    const last = all.at(-1);
    const from = last && { after: last.layout_id, after_version: last.version };
    const more = await desk.client.layouts.list({ limit: PAGE, ...from });
    all.push(...more);
    if (more.length < PAGE) break;
  }
  return all;
}
