import { createHmac, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import type { ChainHead } from './chain.ts';

/** What is signed: this chain had this many rows and ended in this hash at that time. */
export type HeadStatement = Readonly<{
  organization_id: string;
  chain_id: string;
  count: number;
  hash: string;
  at: string;
  signature: string;
}>;

/** The DER frame around the 32 secret bytes of an Ed25519 key. */
const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex');

/**
 * Signs heads, to be kept elsewhere: whoever can rewrite the database, chain and head included, can
 * still not make an old signed head fit. The key is derived from the operator's secret; its public
 * half verifies without it.
 */
export function headSigner(secret: string) {
  const seed = createHmac('sha256', secret).update('audit head signing key').digest();
  const key = createPrivateKey({
    key: Buffer.concat([PKCS8_ED25519, seed]),
    format: 'der',
    type: 'pkcs8',
  });
  const publicKey = createPublicKey(key);
  return {
    publicKey: publicKey.export({ format: 'pem', type: 'spki' }).toString(),
    sign(
      chain: { organizationId: string; chainId: string },
      head: ChainHead,
      at: string,
    ): HeadStatement {
      const statement = {
        organization_id: chain.organizationId,
        chain_id: chain.chainId,
        count: head.count,
        hash: head.hash.toString('hex'),
        at,
      };
      const signature = sign(null, messageOf(statement), key).toString('base64url');
      return { ...statement, signature };
    },
    verify(statement: HeadStatement): boolean {
      const signature = Buffer.from(statement.signature, 'base64url');
      return verify(null, messageOf(statement), publicKey, signature);
    },
  };
}

function messageOf(statement: Omit<HeadStatement, 'signature'>): Buffer {
  const { organization_id, chain_id, count, hash, at } = statement;
  return Buffer.from(JSON.stringify([organization_id, chain_id, count, hash, at]));
}
