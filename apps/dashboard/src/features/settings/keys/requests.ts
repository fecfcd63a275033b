import type { CurlRequest } from '../../../lib/curl.ts';

export interface RequestParts {
  apiUrl: string;
  key: string;
  /** the sender address */
  from: string;
  /** the recipient */
  to: string;
}

/** Sends a first email. */
export const sendRequest = ({ apiUrl, key, from, to }: RequestParts): CurlRequest => ({
  url: `${apiUrl}/v1/send`,
  key,
  body: {
    to,
    from,
    subject: 'Hello {{firstName ?? there}}',
    body: '<p>Your first email from Postrider.</p>',
  },
});

/** Sends an email from a template. @param data values for the variables of the template */
export const sendTemplateRequest = (
  { apiUrl, key, to }: RequestParts,
  template: string,
  data: Record<string, unknown>,
): CurlRequest => ({
  url: `${apiUrl}/v1/send`,
  key,
  body: { to, template, ...(Object.keys(data).length > 0 && { data }) },
});

/** Tracks an event and creates the contact if it does not exist. Uses the public key. */
export const trackRequest = ({ apiUrl, key }: Omit<RequestParts, 'from' | 'to'>): CurlRequest => ({
  url: `${apiUrl}/v1/track`,
  key,
  body: { email: 'reader@example.com', event: 'signed_up', data: { plan: 'free' } },
});

/** Creates a contact, or updates the one with that address. */
export const contactRequest = ({ apiUrl, key }: Omit<RequestParts, 'from' | 'to'>): CurlRequest => ({
  url: `${apiUrl}/contacts`,
  key,
  body: { email: 'reader@example.com', data: { firstName: 'Ada', plan: 'free' } },
});

/** Sends an email with a GraphQL mutation. */
export const graphqlRequest = ({ apiUrl, key, from, to }: RequestParts): CurlRequest => ({
  url: `${apiUrl}/graphql`,
  key,
  body: {
    query:
      'mutation Send($input: SendEmailInput!) { sendEmail(input: $input) { timestamp emails { email } } }',
    variables: {
      input: {
        to,
        from,
        subject: 'Hello from GraphQL',
        body: '<p>Your first email from GraphQL.</p>',
      },
    },
  },
});

/** The settings of a program that sends by SMTP; the port is the usual one. */
export const smtpSettings = ({ apiUrl, key }: RequestParts): string =>
  [`Host: ${new URL(apiUrl).hostname}`, 'Port: 2587', 'User name: postrider', `Password: ${key}`].join('\n');
