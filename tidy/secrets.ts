/** A secret's kind and where it is, without the secret. */
export type Secret = Readonly<{ file: string; line: number; kind: string }>;

/** Put together from parts, because this file is looked through as well. */
const KINDS: Readonly<Record<string, RegExp>> = {
  'a private key': new RegExp(`-----BEGIN (?:[A-Z]+ )*PRIVATE ${'KEY'}-----`, 'g'),
  'a key of Amazon': new RegExp(`\\b(?:AKIA|ASIA)${'[0-9A-Z]'}{16}\\b`, 'g'),
  'a token of GitHub': new RegExp(`\\bgh${'[pousr]'}_[0-9A-Za-z]{36,}`, 'g'),
  'a token of npm': new RegExp(`\\bnpm${'_'}[0-9A-Za-z]{36}\\b`, 'g'),
  'a token of Slack': new RegExp(`\\bxox${'[abprs]'}-[0-9A-Za-z-]{10,}`, 'g'),
  'a key of Google': new RegExp(`\\bAIza${'[0-9A-Za-z_-]'}{35}\\b`, 'g'),
  'a key of Stripe': new RegExp(`\\b[sr]k_live${'_'}[0-9A-Za-z]{20,}`, 'g'),
  'a signed token': new RegExp(`\\beyJ${'[\\w-]'}{10,}\\.eyJ[\\w-]{10,}\\.[\\w-]{20,}`, 'g'),
  'an API key of ours': new RegExp(`\\bvk${'_'}[0-9a-f]{32}_[\\w-]{43}\\b`, 'g'),
  'a secret of a webhook': new RegExp(`\\bwhsec${'_'}[\\w-]{43}\\b`, 'g'),
  'a password in an address': new RegExp(
    [
      String.raw`\b(?:postgres(?:ql)?|rediss?|https?|amqp):`,
      String.raw`//[^\s:/@'"]+:(?!\$|<|\{|password|secret)[^\s:/@'"]{6,}@`,
      String.raw`(?!localhost|127\.|host|example|\$|[a-z-]+\.example)`,
    ].join(''),
    'g',
  ),
};

/** Every place of a text that looks like something which opens a door. */
export function secretsIn({ file, text }: { file: string; text: string }): Secret[] {
  return Object.entries(KINDS).flatMap(([kind, pattern]) =>
    [...text.matchAll(pattern)].map(({ index }) => {
      const line = text.slice(0, index).split('\n').length;
      return { file, line, kind };
    }),
  );
}
