import type { CoreConfig } from '../../../base/kernel/config.ts';
import type { Services } from '../../../base/kernel/services.ts';
import { challengeMs } from './challenges.ts';
import type { NewCredential, PasskeyAnswer } from './passkeys.schema.ts';
import type { StoredPasskey } from './passkeys.store.ts';

/** Loaded by the first use: its several hundred modules would cost every other process memory and a longer start. */
const library = () => import('@simplewebauthn/server');
const decoders = () => import('@simplewebauthn/server/helpers');

type Urls = Pick<CoreConfig, 'DASHBOARD_URL'>;
type Verifier = Pick<Services, 'config' | 'log'>;

/** The dashboard as the relying party (WebAuthn, 4): answers given to another origin are refused. */
function relyingParty({ DASHBOARD_URL }: Urls) {
  const { hostname, origin } = new URL(DASHBOARD_URL);
  return { id: hostname, origin };
}

// The password has verified the user, so that the authenticator only has to be present.
const requireUserVerification = false;

const described = (passkeys: readonly StoredPasskey[]) =>
  passkeys.map(({ credentialId, transports }) => ({ id: credentialId, transports }));

/** Options for `navigator.credentials.create()`. */
export const creationOptions = async (
  urls: Urls,
  { id, email }: { id: string; email: string },
  passkeys: readonly StoredPasskey[],
) =>
  (await library()).generateRegistrationOptions({
    rpName: 'Postrider',
    rpID: relyingParty(urls).id,
    userID: new TextEncoder().encode(id),
    userName: email,
    userDisplayName: email,
    attestationType: 'none',
    excludeCredentials: described(passkeys),
    authenticatorSelection: { residentKey: 'discouraged', userVerification: 'discouraged' },
    timeout: challengeMs,
  });

/** Options for `navigator.credentials.get()`. */
export const requestOptions = async (urls: Urls, passkeys: readonly StoredPasskey[]) =>
  (await library()).generateAuthenticationOptions({
    rpID: relyingParty(urls).id,
    allowCredentials: described(passkeys),
    userVerification: 'discouraged',
    timeout: challengeMs,
  });

/** The challenge that an answer claims to have signed; null for data of a wrong form. */
export async function challengeOf(clientDataJSON: string): Promise<string | null> {
  const { decodeClientDataJSON } = await decoders();
  try {
    const { challenge } = decodeClientDataJSON(clientDataJSON);
    return typeof challenge === 'string' ? challenge : null;
  } catch {
    return null;
  }
}

/** The credential of an answer to `creationOptions`; null when it is refused. */
export async function verifyCreation(
  { config, log }: Verifier,
  { id, response }: NewCredential,
  challenge: string,
) {
  const { id: expectedRPID, origin: expectedOrigin } = relyingParty(config);
  // Certificates were not asked for. Checking one could load a list from an address that it names.
  if (!(await isWithoutCertificates(response.attestationObject))) return null;
  const { verifyRegistrationResponse } = await library();
  const verified = await orNull(
    log,
    verifyRegistrationResponse({
      response: { id, rawId: id, type: 'public-key', response, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin,
      expectedRPID,
      requireUserVerification,
    }),
  );
  return verified?.registrationInfo?.credential ?? null;
}

/** The counter of an answer to `requestOptions`; null when it is refused. */
export async function verifyUse(
  { config, log }: Verifier,
  passkey: StoredPasskey,
  { id, response: { clientDataJSON, authenticatorData, signature } }: PasskeyAnswer,
  challenge: string,
): Promise<number | null> {
  const { id: expectedRPID, origin: expectedOrigin } = relyingParty(config);
  const { credentialId, publicKey, counter } = passkey;
  const { verifyAuthenticationResponse } = await library();
  const verified = await orNull(
    log,
    verifyAuthenticationResponse({
      response: {
        id,
        rawId: id,
        type: 'public-key',
        response: { clientDataJSON, authenticatorData, signature },
        clientExtensionResults: {},
      },
      expectedChallenge: challenge,
      expectedOrigin,
      expectedRPID,
      credential: { id: credentialId, publicKey, counter: Number(counter) },
      requireUserVerification,
    }),
  );
  return verified?.verified ? verified.authenticationInfo.newCounter : null;
}

async function isWithoutCertificates(attestationObject: string): Promise<boolean> {
  const { decodeAttestationObject } = await decoders();
  try {
    const decoded = decodeAttestationObject(Uint8Array.from(Buffer.from(attestationObject, 'base64url')));
    return ['none', 'packed'].includes(decoded.get('fmt')) && !decoded.get('attStmt').get('x5c');
  } catch {
    return false;
  }
}

/** The library throws to refuse an answer; why is for the operator, not for the caller. */
const orNull = <Result>(log: Services['log'], verifying: Promise<Result>): Promise<Result | null> =>
  verifying.catch((error: Error) => {
    log.warn({ reason: error.message }, 'the answer of a passkey was refused');
    return null;
  });
