import { startAuthentication, startRegistration } from '@simplewebauthn/browser';
import { RestError } from './failure.ts';

type CreationOptions = Parameters<typeof startRegistration>[0]['optionsJSON'];
type RequestOptions = Parameters<typeof startAuthentication>[0]['optionsJSON'];
/** Options as the API returns them: those of WebAuthn in JSON, which the API does not describe further. */
type Options = Record<string, unknown>;

/** Asks the browser to make a passkey. @throws RestError when the user cancels, or the browser cannot */
export async function makePasskey(options: Options) {
  const { id, response } = await explained(
    startRegistration({ optionsJSON: options as unknown as CreationOptions }),
  );
  const { clientDataJSON, attestationObject, transports } = response;
  return { id, response: { clientDataJSON, attestationObject, ...(transports && { transports }) } };
}

/** Asks the browser to sign a challenge with a passkey. @throws RestError when the user cancels, or the browser cannot */
export async function answerWithPasskey(options: Options | null) {
  if (options === null) throw failure('This account has no passkey');
  const { id, response } = await explained(
    startAuthentication({ optionsJSON: options as unknown as RequestOptions }),
  );
  const { clientDataJSON, authenticatorData, signature } = response;
  return { id, response: { clientDataJSON, authenticatorData, signature } };
}

const explained = <Result>(asking: Promise<Result>): Promise<Result> =>
  asking.catch((error: Error) => {
    // The browser does not say whether the user cancelled or the time ran out.
    if (error.name === 'NotAllowedError') throw failure('The passkey was not used', 'Try again');
    if (error.name === 'InvalidStateError') throw failure('This passkey has been added already');
    throw failure('This browser could not use the passkey', error.message);
  });

const failure = (message: string, suggestion: string | null = null): RestError =>
  new RestError({ message, code: 'PASSKEY', suggestion, requestId: null, fields: {}, position: null });
