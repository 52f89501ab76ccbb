import { CART, type CrowdOrganization, PERSON } from './stage.ts';

/** Who reads a text. */
type Reader = Readonly<{ organizationId: string; staff: boolean; own: boolean }>;

/** More of the same says nothing new. */
const MOST = 20;

/**
 * I12: searches whatever is read for what must not be in it: names and ids of another
 * organization, and who a holder is. It counts own marks as well, which shows that it looks.
 */
export class Canaries {
  readonly problems: string[] = [];
  looked = 0;
  own = 0;
  readonly #words = new Map<string, { mark: string; foreign: readonly string[] }>();

  constructor(organizations: readonly CrowdOrganization[]) {
    for (const { organizationId, mark } of organizations) {
      const others = organizations.filter((one) => one.organizationId !== organizationId);
      const foreign = others.flatMap((one) => [
        one.organizationId,
        one.mark,
        ...one.events.map(({ eventId }) => eventId),
      ]);
      this.#words.set(organizationId, { mark, foreign });
    }
  }

  look(text: string, { organizationId, staff, own }: Reader, where: string): void {
    this.looked++;
    const words = this.#words.get(organizationId);
    if (!words) return;
    if (text.includes(words.mark)) this.own++;
    for (const word of words.foreign) {
      if (text.includes(word)) this.#found(`${where} has "${word}" of another organization`);
    }
    if (staff) return;
    if (text.includes(PERSON)) this.#found(`${where} says who somebody is`);
    if (!own && (text.includes(CART) || text.includes('"user_id"'))) {
      this.#found(`${where} says who holds something`);
    }
  }

  #found(problem: string): void {
    if (this.problems.length < MOST) this.problems.push(problem);
  }
}
