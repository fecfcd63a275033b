import { keptForAdmin } from '@postrider/local/data-dir';
import { describe, expect, it } from 'vitest';
import { mailTransport, providerNames, providers, routeId } from './index.ts';
import { providerConfig } from './provider-config.fixture.ts';

describe('MAIL_TRANSPORT', () => {
  it.each([
    [undefined, 'smtp'],
    ['smtp', 'smtp'],
    ['ses', 'ses'],
  ])('%s is the provider %s', (given, name) => {
    expect(mailTransport.parse(given).name).toBe(name);
  });

  it.each(['pigeon', 'SES', 'constructor', ''])('%j is refused, with the names that exist', (given) => {
    expect(mailTransport.safeParse(given).error?.issues).toMatchObject([
      { message: `must be one of ${providerNames.join(', ')}, but is ${JSON.stringify(given)}` },
    ]);
  });
});

describe.each(providerNames)('the provider %s', (name) => {
  const provider = providers[name];

  it('requires only variables of its own', () => {
    const own = Object.keys(provider.variables);
    expect(Object.keys(provider.required).filter((each) => !own.includes(each))).toEqual([]);
  });

  it('gets what it requires in commands of npm run admin too', () => {
    const env = Object.fromEntries(Object.keys(provider.required).map((each) => [each, 'x']));
    expect(keptForAdmin({ ...env, MAIL_TRANSPORT: name })).toEqual({ ...env, MAIL_TRANSPORT: name });
  });
});

it('a route is named after the server and without its credentials, or after the region', () => {
  const SMTP_URL = 'smtps://user:secret@relay.example:465';
  expect(routeId(providerConfig('smtp', { SMTP_URL }))).toBe('smtps://relay.example:465');
  expect(routeId(providerConfig('ses', { AWS_REGION: 'eu-west-1' }))).toBe('ses:eu-west-1');
});

it.each([
  ['smtp', {}, false],
  ['smtp', { BOUNCE_PORT: 2526 }, true],
  ['smtp', { SNS_TOPIC_ARNS: 'arn' }, true],
  ['ses', { BOUNCE_PORT: 2526 }, false],
  ['ses', { SNS_TOPIC_ARNS: ' , ' }, false],
  ['ses', { SNS_TOPIC_ARNS: 'arn' }, true],
] as const)('%s with %o receives reports: %s', (name, given, received) => {
  expect(providers[name].reports.areReceived(providerConfig(name, given))).toBe(received);
});
