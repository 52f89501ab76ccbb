import { describe, expect, it } from 'vitest';
import { seededRandom, systemRandom } from '#kit';
import {
  accessibilityOf,
  daysSentence,
  isPassedTest,
  judgeDay,
  judgeTicket,
  looksLikeQr,
  newTicketCode,
  readTicketCode,
  TicketSigner,
  validUntil_ms,
} from './tickets.ts';

const ORGANIZATION = '01900000-0000-7000-8000-000000000001';
const OTHER = '01900000-0000-7000-8000-000000000002';
const TICKET = { code: '7K2M-X9QF-04TD', event_id: '01900000-0000-7000-8000-00000000000f' };

describe('a code', () => {
  it('is three times four letters that nobody mistakes, and none twice', () => {
    const codes = Array.from({ length: 1_000 }, () => newTicketCode(systemRandom));
    for (const code of codes) expect(code).toMatch(/^(?:[0-9A-HJKMNP-TV-Z]{4}-?){3}$/);
    expect(new Set(codes).size).toBe(1_000);
  });

  it('is read as people type it', () => {
    for (const text of ['7k2mx9qf04td', ' 7K2M-x9qf-O4td ', '7K2M X9QF 04TD', '7k-2mx9-qf04td']) {
      expect(readTicketCode(text)).toBe(TICKET.code);
    }
    expect(readTicketCode('LI11-0o00-0000')).toBe('1111-0000-0000');
    for (const text of ['', '7K2M-X9QF-04T', '7K2M-X9QF-04TDD', '7K2M-X9QF-04T!', 'UUUU-UUUU-UUUU'])
      expect(readTicketCode(text)).toBeNull();
  });
});

describe('a QR code', () => {
  const signer = new TicketSigner('a secret');

  it('says code and event, in letters that make a small picture', () => {
    const text = signer.sign(ORGANIZATION, TICKET);
    expect(text).toMatch(/^VG1\.7K2MX9QF04TD\.[0-9A-Z]{26}\.[0-9A-Z]{26}$/);
    expect(signer.read(ORGANIZATION, text)).toEqual(TICKET);
    expect(signer.read(ORGANIZATION, text.toLowerCase())).toEqual(TICKET);
  });

  it('that was printed long ago is read, however the organization’s id is written', () => {
    const organization = '01900000-0000-7000-8000-00000000000a';
    const printed = 'VG1.7K2MX9QF04TD.01J0000000E00800000000000F.2KJTZCFC9RV7Q6V5FA4N9YGKEX';
    expect(signer.sign(organization, TICKET)).toBe(printed);
    expect(signer.read(organization.toUpperCase(), printed)).toEqual(TICKET);
  });

  it('is told from a code that somebody has typed', () => {
    expect(looksLikeQr(signer.sign(ORGANIZATION, TICKET))).toBe(true);
    expect(looksLikeQr(TICKET.code)).toBe(false);
  });

  it('keeps every event’s id', () => {
    const random = seededRandom(7);
    for (let index = 0; index < 100; index++) {
      const hex = Buffer.from(random.bytes(16)).toString('hex');
      const event_id = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
      const qr = { code: newTicketCode(random), event_id };
      expect(signer.read(ORGANIZATION, signer.sign(ORGANIZATION, qr))).toEqual(qr);
    }
  });

  it('is nobody else’s: another secret, organization, code or event', () => {
    const text = signer.sign(ORGANIZATION, TICKET);
    expect(new TicketSigner('another').read(ORGANIZATION, text)).toBeNull();
    expect(signer.read(OTHER, text)).toBeNull();
    const [version, code, event, seal] = text.split('.');
    const others = [
      [version, '7K2MX9QF04TE', event, seal],
      [version, code, `${event?.slice(0, -1)}G`, seal],
      [version, code, `Z${event?.slice(1)}`, seal],
      ['VG2', code, event, seal],
      [version, code, event, ''],
      [version, code, event, `${seal?.slice(0, -1)}${seal?.endsWith('0') ? '1' : '0'}`],
      [version, code, event],
      [version, code, event, seal, 'more'],
      [version, code, '', seal],
      ['é', 'é', 'é', 'é'],
    ];
    for (const parts of others) expect(signer.read(ORGANIZATION, parts.join('.'))).toBeNull();
  });
});

describe('a ticket of another day', () => {
  it.each([
    [['2026-11-20'], 'It is for 2026-11-20.'],
    [['2026-11-20', '2026-11-21'], 'It is for 2026-11-20 and 2026-11-21.'],
    [
      ['2026-11-20', '2026-11-21', '2026-11-25'],
      'It is for 2026-11-20, 2026-11-21 and 2026-11-25.',
    ],
    [
      ['2026-11-20', '2026-11-21', '2026-11-22', '2026-11-25'],
      'It is for 4 days from 2026-11-20 to 2026-11-25.',
    ],
  ])('%s says for which', (days, sentence) => {
    expect(daysSentence(days)).toBe(sentence);
  });
});

describe('a ticket at the door', () => {
  const ENDS = '2026-11-21T22:00:00.000Z';
  const GOOD = {
    status: 'active',
    event_status: 'live',
    ends_at: ENDS,
    days: ['2026-11-20', '2026-11-21'],
    member_ok: true,
  } as const;
  const SCAN = {
    direction: 'in',
    day: '2026-11-20',
    now_ms: Date.parse('2026-11-20T18:00:00Z'),
  } as const;
  const judge = (ticket: object, scan: object = {}) =>
    judgeTicket({ ...GOOD, ...ticket }, { ...SCAN, ...scan });

  it.each([
    [{}, {}, null],
    [{}, { day: '2026-11-21' }, null],
    [{}, { day: '2026-11-22' }, 'wrong_day'],
    [{ status: 'voided' }, {}, 'ticket_voided'],
    [{ status: 'refunded' }, {}, 'ticket_refunded'],
    [{ member_ok: false }, {}, 'membership_expired'],
    [{ event_status: 'published' }, {}, 'event_not_live'],
    [{ event_status: 'postponed' }, {}, 'event_not_live'],
    [{ event_status: 'cancelled' }, {}, 'event_not_live'],
    [{ event_status: 'ended' }, {}, 'event_not_live'],
    [{}, { now_ms: validUntil_ms(ENDS) }, null],
    [{}, { now_ms: validUntil_ms(ENDS) + 1 }, 'ticket_expired'],
    // Who is inside may leave, whatever became of the ticket.
    [{ status: 'voided', member_ok: false }, { direction: 'out', day: '2026-11-22' }, null],
    [{ event_status: 'ended' }, { direction: 'out' }, null],
    [{ event_status: 'published' }, { direction: 'out' }, 'event_not_live'],
  ])('%o scanned %o: %s', (ticket, scan, denial) => {
    expect(judge(ticket, scan)).toBe(denial);
  });

  it('passes a test before the doors open only if nothing else is wrong', () => {
    const published = { ...GOOD, event_status: 'published' } as const;
    const later = { day: '2026-12-24' };
    expect(judge(published, later)).toBe('event_not_live');
    expect(isPassedTest(published, 'event_not_live')).toBe(true);
    expect(judge({ ...published, status: 'voided' }, later)).toBe('ticket_voided');
    expect(isPassedTest(published, 'ticket_voided')).toBe(false);
    expect(isPassedTest({ ...GOOD, event_status: 'cancelled' }, 'event_not_live')).toBe(false);
  });

  it.each([
    ['in', { inside: false }, {}, null],
    ['in', { inside: true }, {}, 'already_inside'],
    ['out', { inside: true }, {}, null],
    ['out', { inside: false }, {}, 'not_inside'],
    ['in', { entries: 1, most_entries: 1 }, {}, 'daily_limit'],
    ['in', { entries: 1, most_entries: 2 }, {}, null],
    ['in', { entries: 1_000, most_entries: null }, {}, null],
    ['in', {}, { inside: 5, has_seats: false }, 'zone_full'],
    ['in', {}, { inside: 4, has_seats: false }, null],
    ['in', {}, { inside: 5, has_seats: true }, null],
    ['out', { inside: true }, { inside: 5, has_seats: false }, null],
  ] as const)('%s, ticket %o, zone %o: %s', (direction, ticket, zone, denial) => {
    const own = { inside: false, entries: 0, most_entries: null, ...ticket };
    const where = { inside: 0, capacity: 5, has_seats: true, ...zone };
    expect(judgeDay(direction, own, where)).toBe(denial);
  });

  it('says what staff should look after', () => {
    const note = (category: string | null, has_companion: boolean) =>
      accessibilityOf({ category, has_companion });
    expect(note('wheelchair', true)).toEqual({
      note: 'Wheelchair ticket, companion reserved.',
      prompt: 'Please ensure companion is accompanied.',
    });
    expect(note('wheelchair', false)).toEqual({ note: 'Wheelchair ticket.', prompt: null });
    for (const category of ['standard', 'companion', 'aisle', null]) {
      expect(note(category, true)).toBeNull();
    }
  });
});
