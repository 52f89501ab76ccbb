/**
 * Audit: who did what, in chains that cannot be altered unnoticed. It knows how a row is hashed,
 * appended and verified; it does not know what the actions mean. Whoever changes something appends
 * in the same transaction, so there is no change without its entry and no entry without its change.
 */
export type { AuditAction } from './actions.ts';
export { type AuditContext, appendToOrganization } from './append.ts';
export {
  readChain as readChainPage,
  readEventHead,
  readOrganizationHead,
} from './audit.sql.ts';
export {
  type AuditActor,
  type AuditEntry,
  type AuditRow,
  type ChainHead,
  chainRows,
  type Deed,
  hashRow as hashAuditRow,
  ORGANIZATION_CHAIN,
} from './chain.ts';
export { type HeadStatement, headSigner } from './heads.ts';
export { type AuditQuery, type AuditRecord, readTrail } from './trail.ts';
export { type Verdict, verifyChain } from './verify.ts';
