import type { Endpoint } from '../endpoint.ts';

type Credential = Endpoint['credential'];

export const securityOf: Record<Credential, Record<string, string[]>[]> = {
  'public-key': [{ publicKey: [] }],
  'secret-key': [{ secretKey: [] }],
  'secret-or-session': [{ secretKey: [] }, { session: [], project: [] }],
  session: [{ session: [] }],
  none: [],
};

export const credentialTexts: Record<Credential, string> = {
  'public-key': 'Requires the public key of the project.',
  'secret-key': 'Requires the secret key of the project.',
  'secret-or-session': 'Requires the secret key of the project, or a session with `X-Project-Id`.',
  session: 'Requires a session.',
  none: 'Requires no credential.',
};

export const securitySchemes = {
  publicKey: { type: 'http', scheme: 'bearer', description: 'The public key of a project, `pk_…`.' },
  secretKey: { type: 'http', scheme: 'bearer', description: 'The secret key of a project, `sk_…`.' },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'postrider_session',
    description: 'The session of a signed-in user.',
  },
  project: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Project-Id',
    description: 'The project that a session request is about.',
  },
};
