/** Contents of a session token: user, token version of the account, and expiry. */
export interface SessionClaims {
  userId: string;
  tokenVersion: number;
  /** milliseconds since 1970 */
  expiresAt: number;
}

/** 16 bytes of user id, 4 of token version, 6 of expiry: the signature around them makes the token. */
const claimBytes = 26;

export function encodeClaims({ userId, tokenVersion, expiresAt }: SessionClaims): Buffer {
  const bytes = Buffer.alloc(claimBytes);
  bytes.write(userId.replaceAll('-', ''), 0, 'hex');
  bytes.writeUInt32BE(tokenVersion, 16);
  bytes.writeUIntBE(expiresAt, 20, 6);
  return bytes;
}

export function decodeClaims(bytes: Buffer): SessionClaims | null {
  if (bytes.length !== claimBytes) return null;
  const userId = bytes.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  return { userId, tokenVersion: bytes.readUInt32BE(16), expiresAt: bytes.readUIntBE(20, 6) };
}
