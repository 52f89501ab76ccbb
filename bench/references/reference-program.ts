import { obey } from '#children';
import { type ReferenceOptions, startReferenceServer } from './reference-server.ts';

obey<ReferenceOptions>((options) => startReferenceServer(options));
