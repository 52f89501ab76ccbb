import { fileURLToPath } from 'node:url';
import { Child } from '#children';
import type { Aim, LoadReport } from './buyers.ts';
import type { Crowd, LoadMessage } from './load-program.ts';
import type { PlayOptions, PlayReport } from './play-together.ts';

const PROGRAM = fileURLToPath(new URL('./load-program.ts', import.meta.url));

export class LoadProcess {
  readonly #child = new Child(PROGRAM);

  /** Who sends the requests from now on. */
  crowd(crowd: Crowd): Promise<null> {
    return this.#tell({ kind: 'crowd', crowd });
  }

  distinct(aim: Aim, connections: number, lasts_ms: number): Promise<LoadReport> {
    return this.#tell({ kind: 'distinct', aim, connections, lasts_ms });
  }

  /** So many wishes per second, over many connections; those of the first moments do not count. */
  paced(
    aim: Aim,
    connections: number,
    per_s: number,
    lasts_ms: number,
    lead_ms = 0,
  ): Promise<LoadReport> {
    return this.#tell({ kind: 'paced', aim, connections, per_s, lasts_ms, lead_ms });
  }

  /** So many buyers, who pause and come back when they are told to. */
  population(aim: Aim, count: number, pause_ms: number, lasts_ms: number): Promise<LoadReport> {
    return this.#tell({ kind: 'population', aim, count, pause_ms, lasts_ms });
  }

  /** The same play on every connection. */
  play(aim: Aim, options: PlayOptions): Promise<PlayReport> {
    return this.#tell({ kind: 'play', aim, options });
  }

  stampede(aim: Aim, clients: number): Promise<LoadReport> {
    return this.#tell({ kind: 'stampede', aim, clients });
  }

  stop(): Promise<void> {
    return this.#child.stop();
  }

  #tell<Answer>(message: LoadMessage): Promise<Answer> {
    return this.#child.ask<Answer>(message);
  }
}
