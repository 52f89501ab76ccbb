import { readConfig } from '@voelgoed/server/config';
import { type RunningNode, startNode } from '@voelgoed/server/processes';
import { obey } from '#children';

export type GatedServices = Readonly<{ ownerUrl: string; authSecret: string; shed: boolean }>;

let node: RunningNode | null = null;

/** As in production; the control has no gate. */
obey<GatedServices>(
  async ({ shed, ...services }) => {
    const environment = { NODE_ENV: 'production', PORT: '0', DEMO: '0' };
    const result = readConfig({ ...environment, SHED_LOAD: shed ? '1' : '0' });
    if (result.kind === 'problems') throw new Error(result.problems.join('\n'));
    node = await startNode({ config: result.config, ...services, redisUrl: null });
    return node.address;
  },
  async () => node?.stop(),
);
