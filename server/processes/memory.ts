import { setFlagsFromString } from 'node:v8';

/** A few bytes that are kept, keep a whole piece. */
const PIECE_BYTES = 1_024;

/**
 * Two habits of the runtime that do not suit a node, given up before it serves anybody. Together
 * they made it mark the whole heap every two to five seconds: both processors were busy for 100 ms,
 * and whoever wished for a seat then waited as long. At half of the most, 99 % of holds took 106
 * and 113 ms in two runs of the benchmark without Redis, and 17, 21 and 49 in three since.
 *
 * Small buffers are cut from pieces of 64 KiB, and a piece is kept for as long as one of its cuts:
 * the few bytes of a hash that outlived two collections kept 64 KiB, 17 MB a second at 3,900
 * holds, and for so much outside the heap all of it is marked anew.
 *
 * What is made at places whose objects often outlived a collection is put where old objects are. A
 * wish waits for its commit, so collections met wishes alive; from then on each was old from birth,
 * and kept whatever it pointed to until the next marking: 12 to 24 MB a second, and 4 without.
 */
export function suitMemory(): void {
  Buffer.poolSize = PIECE_BYTES;
  setFlagsFromString('--no-allocation-site-pretenuring');
}
