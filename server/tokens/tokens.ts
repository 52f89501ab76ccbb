/**
 * Tokens: who is calling. It turns an Authorization header into a principal (a user with an
 * effective role, or an API key with scopes) or into a refusal. It knows signatures, issuers and
 * caches; what a principal may do on a route is decided in `http`.
 */
export { Authenticator, type Principal } from './authenticator.ts';
export { type Claims, signToken } from './hs256.ts';
