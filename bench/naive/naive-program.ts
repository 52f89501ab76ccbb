import { obey } from '#children';
import { type NaiveOptions, startNaive } from './naive-server.ts';

obey<NaiveOptions>((options) => startNaive(options));
