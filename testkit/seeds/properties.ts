/** Loaded before every test file: properties of fast-check begin at the run's seed, too. */
import fc from 'fast-check';
import { testSeed } from './test-seed.ts';

// Its seeds are signed numbers of 32 bits.
fc.configureGlobal({ seed: testSeed() | 0 });
