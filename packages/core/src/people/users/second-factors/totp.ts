import { Secret, TOTP } from 'otpauth';

/** Time-based codes (RFC 6238) as every authenticator app makes them: SHA-1, 6 digits, 30 seconds. */
const parameters = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
const issuer = 'Postrider';
/** RFC 4226, 4: at least 128 bits, 160 recommended. */
const secretBytes = 20;
/** Steps before and after the present one that are accepted, for clocks that differ. */
const window = 1;

/** @returns base32 */
export const newTotpSecret = (): string => new Secret({ size: secretBytes }).base32;

/** What an app needs to show codes: as text, as a link, and as an image of that link. */
export async function enrolmentOf(secret: string, email: string) {
  const uri = new TOTP({ ...parameters, issuer, label: email, secret }).toString();
  const { default: qrCode } = await import('qrcode');
  const svg = await qrCode.toString(uri, { type: 'svg', margin: 2 });
  return { secret, uri, qrCode: `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}` };
}

/** The time step that a code belongs to; null for a wrong code. */
export function stepOf(secret: string, code: string, now: number): number | null {
  if (!/^\d{6}$/.test(code)) return null;
  const totp = new TOTP({ ...parameters, secret });
  const delta = totp.validate({ token: code, timestamp: now, window });
  return delta === null ? null : totp.counter({ timestamp: now }) + delta;
}
