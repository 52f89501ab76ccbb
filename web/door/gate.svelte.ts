import { type EntryReply, type PublicEvent, systemHost } from '@voelgoed/client/client';
import { desk, Resource, Work } from '#desk';
import { d } from '#desk-words';
import { keep, notices, recall } from '#shop';
import { beep } from './beep.ts';

export type Scan = Readonly<{
  number: number;
  text: string;
  at: string;
  direction: 'in' | 'out';
  reply: EntryReply;
}>;

/** Enough to look back at who has just come. */
const KEPT = 20;
/** A handheld scanner is quicker than a network; more than this nobody has in hand. */
const MOST_WAITING = 20;
const SOUND = 'door-sound';

type Wish = Readonly<{ number: number; text: string; direction: 'in' | 'out'; day: string }>;

/** One gate: scans one ticket after the other, each exactly once. */
export class Gate {
  readonly eventId: string;
  readonly event: Resource<PublicEvent>;
  direction = $state<'in' | 'out'>('in');
  /** Empty: today's at the venue. */
  day = $state('');
  /** Said by sound, too; off until somebody wants it. */
  sound = $state(recall<boolean>(SOUND) ?? false);
  scans = $state.raw<readonly Scan[]>([]);
  inside = $state.raw<number | null>(null);
  waiting = $state.raw<readonly Wish[]>([]);
  readonly work = new Work<EntryReply>();
  #number = 0;
  #following: { close(): void } | null = null;

  constructor(eventId: string) {
    this.eventId = eventId;
    this.event = new Resource(() => desk.client.events.get(eventId));
  }

  /** At the venue: people at its door look at its clock. */
  get timeZone(): string | undefined {
    return this.event.value?.venue?.timezone ?? desk.timeZone;
  }

  open(): void {
    void this.event.load();
    this.#following = desk.client.events.follow(
      this.eventId,
      (event) => {
        if (event.kind === 'occupancy') this.inside = event.occupancy.live_attendees;
      },
      { drawing: false },
    );
  }

  close(): void {
    this.#following?.close();
  }

  setSound(wanted: boolean): void {
    this.sound = wanted;
    keep(SOUND, wanted);
  }

  scan(text: string): void {
    if (text.trim() === '') return;
    if (this.waiting.length >= MOST_WAITING) {
      notices.say({ kind: 'warning', text: d().door.tooMany(MOST_WAITING) });
      return;
    }
    const { direction, day } = this;
    const wish = { number: ++this.#number, text: text.trim(), direction, day };
    this.waiting = [...this.waiting, wish];
    if (this.waiting.length === 1) void this.next();
  }

  /** The first of those that wait; after a failure the same one again, with the same key. */
  next = async (): Promise<void> => {
    const [wish] = this.waiting;
    if (!wish) return;
    const { number, text, direction, day } = wish;
    const reply = await this.work.run(`scan ${number}`, ({ key }) => {
      const body = { direction, event_id: this.eventId, ...(day ? { day } : {}) };
      return desk.client.scanner.scan(text, body, { key: key() });
    });
    if (!reply) return;
    const at = new Date(desk.client.clock.now()).toISOString();
    this.scans = [{ number, text, at, direction, reply }, ...this.scans].slice(0, KEPT);
    this.inside = reply.live_attendees ?? this.inside;
    // The doors were opened or closed elsewhere.
    const isOpen = this.event.value?.status === 'live';
    if (isOpen === (reply.reason === 'event_not_live')) void this.event.load();
    if (this.sound) beep(reply.status === 'admitted');
    this.waiting = this.waiting.slice(1);
    systemHost.after(0, () => void this.next());
  };

  /** Gives up on one that cannot be asked about. */
  skip(): void {
    this.work.reset();
    this.waiting = this.waiting.slice(1);
    void this.next();
  }
}
