import { systemClock } from '@voelgoed/engine/kit';
import { signToken } from '@voelgoed/server/tokens';
import { obey } from '#children';
import { type Aim, Buyers } from './buyers.ts';
import { type PlayOptions, playTogether } from './play-together.ts';

export type Crowd = Readonly<{ secret: string; organizationId: string; users: readonly string[] }>;

export type LoadMessage =
  | Readonly<{ kind: 'crowd'; crowd: Crowd }>
  | Readonly<{ kind: 'distinct'; aim: Aim; connections: number; lasts_ms: number }>
  | Readonly<{
      kind: 'paced';
      aim: Aim;
      connections: number;
      per_s: number;
      lasts_ms: number;
      lead_ms: number;
    }>
  | Readonly<{ kind: 'stampede'; aim: Aim; clients: number }>
  | Readonly<{ kind: 'play'; aim: Aim; options: PlayOptions }>
  | Readonly<{
      kind: 'population';
      aim: Aim;
      count: number;
      pause_ms: number;
      lasts_ms: number;
    }>;

const TOKEN_SECONDS = 7_200;
let tokens: string[] = [];

obey<LoadMessage>(async (message) => {
  if (message.kind === 'crowd') {
    tokens = tokensOf(message.crowd);
    return null;
  }
  if (message.kind === 'play') return playTogether(message.aim, tokens, message.options);
  const buyers = new Buyers(message.aim, tokens);
  if (message.kind === 'paced') {
    const { connections, per_s, lasts_ms, lead_ms } = message;
    return buyers.paced(connections, per_s, lasts_ms, lead_ms);
  }
  if (message.kind === 'population') {
    return buyers.population(message.count, message.pause_ms, message.lasts_ms);
  }
  return message.kind === 'distinct'
    ? buyers.distinct(message.connections, message.lasts_ms)
    : buyers.stampede(message.clients);
});

/** A subject that is an id is the id of its user. */
function tokensOf({ secret, organizationId, users }: Crowd): string[] {
  const expires = Math.floor(systemClock.now() / 1_000) + TOKEN_SECONDS;
  return users.map((subject) =>
    signToken(secret, { subject, organizationId, role: 'customer', expires }),
  );
}
