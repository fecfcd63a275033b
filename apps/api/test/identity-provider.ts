import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Events, OAuth2Server } from 'oauth2-mock-server';

export interface Person {
  subject: string;
  email: string;
  verified: boolean;
}

/** A provider of OpenID Connect on this machine, which is GitHub as well: the user whom it signs in is set by each test. */
export interface TestProvider {
  issuer: string;
  /** base of the endpoints that GitHub has */
  apiUrl: string;
  signIn(person: Person): void;
  /** The browser's way through the provider. @returns the query of the callback */
  agree(authorizationUrl: string): Promise<string>;
  close(): Promise<void>;
}

export async function startProvider(): Promise<TestProvider> {
  let person: Person = { subject: '1', email: 'nobody@example.com', verified: true };
  const redeemed = new Set<unknown>();
  // The path of GitHub's token endpoint; discovery names it to the others.
  const server = new OAuth2Server(undefined, undefined, { endpoints: { token: '/access_token' } });
  await server.issuer.keys.generate('RS256');
  server.service.on(Events.BeforeTokenSigning, (token) => {
    Object.assign(token.payload, {
      sub: person.subject,
      email: person.email,
      email_verified: person.verified,
    });
  });
  // A real provider accepts each code once (RFC 6749, 4.1.2).
  server.service.on(Events.BeforeResponse, (response, request) => {
    const { code } = request.body;
    if (redeemed.has(code)) Object.assign(response, { statusCode: 400, body: { error: 'invalid_grant' } });
    redeemed.add(code);
  });
  await server.start(0, 'localhost');
  const issuer = server.issuer.url ?? '';

  const api = createServer((request, response) => {
    const { subject, email, verified } = person;
    const other = { email: `other-${email}`, primary: false, verified: true };
    const body =
      request.url === '/user' ? { id: Number(subject) } : [other, { email, primary: true, verified }];
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
  });
  api.listen(0, 'localhost');
  await new Promise((resolve) => api.once('listening', resolve));

  return {
    issuer,
    apiUrl: `http://localhost:${(api.address() as AddressInfo).port}`,
    signIn(next) {
      person = next;
    },
    async agree(authorizationUrl) {
      const response = await fetch(authorizationUrl, { redirect: 'manual' });
      return new URL(response.headers.get('location') ?? '').search;
    },
    async close() {
      api.close();
      await server.stop();
    },
  };
}
