import type { Config } from '#config';
import { type Finding, finding } from './finding.ts';

const NODE_MAJOR = 24;
/** A password that somebody typed has few different characters; a random one has not. */
const DIFFERENT_CHARACTERS = 12;

/** Settings that are valid and still a mistake where people buy tickets. */
export function configurationFindings(
  { config, authSecret }: { config: Config; authSecret: string },
  node: string,
): Finding[] {
  const advice = `Install Node ${NODE_MAJOR}, or let npm install bring the bundled one.`;
  const major = Number.parseInt(node, 10);
  return [
    finding('node', major >= NODE_MAJOR, node, advice),
    secretFinding(authSecret),
    ...(config.production ? productionFindings(config) : [development()]),
  ];
}

function development(): Finding {
  return finding('configuration', true, 'development');
}

function secretFinding(secret: string): Finding {
  const ok = new Set(secret).size >= DIFFERENT_CHARACTERS;
  const advice = 'Make one with: openssl rand -base64 48. Then: migrate --new-secret.';
  return finding('auth secret', ok, ok ? 'looks random' : 'could be guessed', advice);
}

type Check = readonly [isWrong: (config: Config) => boolean, wrong: string, advice: string];

const CHECKS: readonly Check[] = [
  [({ demo }) => demo, 'the demo is open: anybody may take any role', 'Set DEMO=0.'],
  [
    ({ paymentWebhookSecret }) => paymentWebhookSecret === null,
    'no payment message is accepted',
    'Set PAYMENT_WEBHOOK_SECRET to what your payment side signs with.',
  ],
  [
    ({ corsOrigins }) => corsOrigins.includes('*'),
    'pages of every origin may call the API',
    'Set CORS_ORIGINS to the origins of your own pages.',
  ],
  [
    ({ allowInternalAddresses }) => allowInternalAddresses,
    'tenants may make the server call addresses in your own network',
    'Set ALLOW_INTERNAL_ADDRESSES=0.',
  ],
  [
    ({ databaseUrl }) => databaseUrl === null,
    'the database is embedded: one machine, no standby',
    'Set DATABASE_URL to a Postgres with backups and a synchronous standby.',
  ],
  [
    ({ host, trustedProxies }) => isEverywhere(host) && trustedProxies.length === 0,
    'every buyer behind a balancer would have its address',
    'Set TRUSTED_PROXIES to the addresses of your balancers.',
  ],
];

/** One finding for each mistake, or one that there is none. */
function productionFindings(config: Config): Finding[] {
  const wrong = CHECKS.filter(([isWrong]) => isWrong(config));
  if (wrong.length === 0) return [finding('configuration', true, 'production')];
  return wrong.map(([, found, advice]) => finding('configuration', false, found, advice));
}

function isEverywhere(host: string): boolean {
  return host === '0.0.0.0' || host === '::';
}
