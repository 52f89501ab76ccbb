import { systemHost } from '@voelgoed/client/client';

export type NoticeAction = Readonly<{ label: string; run(): void | Promise<void> }>;
export type Notice = Readonly<{
  id: number;
  kind: 'good' | 'info' | 'warning' | 'bad';
  title?: string;
  text: string;
  actions: readonly NoticeAction[];
}>;
type NewNotice = Omit<Notice, 'id' | 'actions'> & { actions?: readonly NoticeAction[] };

/** More than this nobody reads at once. */
const MOST = 3;
/** What asks for nothing goes by itself; what has buttons or is bad stays until it is closed. */
const SHOWN_MS = 6_000;

/** What the visitor is told beside what is on the page. */
class Notices {
  list: readonly Notice[] = $state.raw([]);
  #last = 0;

  say(notice: NewNotice): number {
    const id = ++this.#last;
    const actions = notice.actions ?? [];
    const others = this.list.filter(({ text }) => text !== notice.text);
    this.list = [...others, { ...notice, id, actions }].slice(-MOST);
    announce(notice.text);
    const passes = actions.length === 0 && notice.kind !== 'bad';
    if (passes) systemHost.after(SHOWN_MS, () => this.close(id));
    return id;
  }

  close(id: number): void {
    this.list = this.list.filter((notice) => notice.id !== id);
  }

  clear(): void {
    this.list = [];
  }
}

export const notices = new Notices();

/** Spoken by screen readers; two in a row with the same words are two. */
let spoken = $state.raw({ text: '', turn: 0 });

export function announce(text: string): void;
export function announce(): Readonly<{ text: string; turn: number }>;
export function announce(text?: string) {
  if (text === undefined) return spoken;
  spoken = { text, turn: spoken.turn + 1 };
  return undefined;
}
