import { createHmac } from 'node:crypto';

/** What is stored about the secrets of an endpoint: salts, which are worth nothing alone. */
export type Salts = Readonly<{
  webhook_id: string;
  secret_salt: Buffer;
  previous_salt: Buffer | null;
  previous_until: string | null;
}>;

/**
 * Secrets of endpoints are derived from the server's own secret and a salt. Nothing that signs is
 * stored, so neither a dump nor a reader of the database can sign; with another server secret they
 * are other secrets, and have to be rotated.
 */
export class WebhookSecrets {
  readonly #secret: string;

  constructor(secret: string) {
    this.#secret = secret;
  }

  secretOf(webhookId: string, salt: Buffer): string {
    const mac = createHmac('sha256', this.#secret).update(`webhook ${webhookId} `).update(salt);
    return `whsec_${mac.digest('base64url')}`;
  }

  /** One signature for each secret that is good now: two while a rotated one lives on. */
  sign(salts: Salts, body: string, now_ms: number): string {
    const unix = Math.floor(now_ms / 1_000);
    const both = [salts.secret_salt];
    const { previous_salt, previous_until } = salts;
    if (previous_salt && Date.parse(previous_until ?? '') > now_ms) both.push(previous_salt);
    const signatures = both.map((salt) => {
      const mac = createHmac('sha256', this.secretOf(salts.webhook_id, salt));
      return `v1=${mac.update(`${unix}.${body}`).digest('hex')}`;
    });
    return [`t=${unix}`, ...signatures].join(',');
  }
}
