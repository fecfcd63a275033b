import { z } from 'zod';
import {
  type ProviderConfig,
  type ProviderName,
  type ProviderSettings,
  providers,
  providerVariables,
} from './index.ts';

/** The configuration of a provider for tests: the variables of all providers with their defaults, and those that are given. */
export const providerConfig = (
  name: ProviderName,
  given: Partial<ProviderSettings> = {},
): ProviderConfig => ({
  ...z.object(providerVariables).parse({}),
  MAIL_HOST: 'mail.sender.net',
  ...given,
  mailProvider: providers[name],
});
