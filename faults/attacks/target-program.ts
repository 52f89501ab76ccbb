/**
 * A node that is attacked: the server's own node with a shorter deadline, in a process that a test
 * can stall, in any phase of its event loop, and in which it can turn guards off.
 */
import http, { ServerResponse } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { runInThisContext } from 'node:vm';
import { reasonOf } from '@voelgoed/engine/kit';
import { readConfig } from '@voelgoed/server/config';
import { Ending, type RunningNode, startNode, watchBugs } from '@voelgoed/server/processes';
import { stallLoop } from './stall.ts';
import type { Order, TargetSettings } from './target.ts';

let node: RunningNode | undefined;

/** As it was before: a response learns of its answer when the bytes leave. */
class Forgetful extends ServerResponse {
  override writeHead(...head: unknown[]): this {
    setImmediate(() => super.writeHead(...(head as Parameters<ServerResponse['writeHead']>)));
    return this;
  }

  override end(...last: unknown[]): this {
    setImmediate(() => super.end(...(last as unknown as Parameters<ServerResponse['end']>)));
    return this;
  }
}

function forgetAnswers(): void {
  const { createServer } = http;
  const weak = (options: object, listener: http.RequestListener) =>
    createServer({ ...options, ServerResponse: Forgetful }, listener);
  http.createServer = weak as typeof createServer;
  syncBuiltinESMExports();
}

/** A twentieth of what the product allows. */
const STEP_MS = 1_000;

/** A stop may fail by the same bug that made it necessary, or wait for what never comes. */
function stopAs(stop: TargetSettings['stop']): unknown {
  if (stop === 'fails') throw new Error('the stop is broken');
  return stop === 'hangs' ? new Promise(() => {}) : node?.stop();
}

async function start({ environment, deadline_ms, off, stop, ...services }: TargetSettings) {
  plantInRequests();
  if (off === 'one answer') forgetAnswers();
  const ending = new Ending([() => stopAs(stop)], { step_ms: stop ? STEP_MS : 20_000 });
  process.on('SIGTERM', () => void ending.end(0));
  const end = (error: unknown) => {
    console.error(`the node ends: ${reasonOf(error)}`);
    return ending.end(1);
  };
  // Without a verdict every bug ends the node.
  watchBugs(() => (off === 'bug verdict' ? undefined : node?.bug), end);
  const config = readConfig({ PORT: '0', DEMO: '0', LOG_LEVEL: 'error', ...environment });
  if (config.kind === 'problems') throw new Error(config.problems.join('; '));
  // Requests without a connection are in flight at their deadline; else they are refused before.
  const connectionWait_ms = deadline_ms;
  node = await startNode({ ...services, config: config.config, deadline_ms, connectionWait_ms });
  return { address: node.address };
}

/** Throws, or makes a promise that is rejected, with frames in this file of ours. */
function bugIn(file: string): (isRejection: boolean) => void {
  const filename = new URL(`../../${file}`, import.meta.url).href;
  const code =
    '(isRejection) => { const bug = () => { throw new TypeError("planted"); };\n' +
    'if (isRejection) void (async () => bug())(); else bug(); }';
  return runInThisContext(code, { filename });
}

/** A request with this header leaves a bug behind when it is answered, for a moment later. */
function plantInRequests(): void {
  const { writeHead } = ServerResponse.prototype;
  ServerResponse.prototype.writeHead = function (this: ServerResponse, ...head: unknown[]) {
    const { 'x-planted': kind } = this.req.headers;
    const bug = bugIn('server/http/planted.ts');
    if (kind === 'timer') setTimeout(bug, 1, false);
    else if (kind === 'promise') process.nextTick(bug, true);
    return writeHead.apply(this, head as Parameters<typeof writeHead>);
  } as typeof writeHead;
}

process.on('message', (order: Order) => {
  if (order.kind === 'stall') {
    stallLoop(order.phase, order.ms, (stalled_ms) => process.send?.({ stalled_ms }));
  } else if (order.kind === 'bug') setImmediate(bugIn(order.file), order.isRejection);
  else {
    start(order.settings).then(
      (answer) => process.send?.(answer),
      (error: unknown) => process.send?.({ problem: reasonOf(error) }),
    );
  }
});
process.on('disconnect', () => process.exit());
