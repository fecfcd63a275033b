import { AppError, type Services, type SignInProviderName } from '../../../base/kernel/index.ts';
import { sealStartedSignIn } from './started-sign-in.ts';

interface Start {
  provider: string;
  /** token of an invitation to accept */
  invitation?: string | undefined;
  /** path of the dashboard to open afterwards */
  next?: string | undefined;
}

/**
 * Starts a sign-in by a provider.
 *
 * @returns where to send the browser, and the cookie that it must bring back
 * @throws AppError RESOURCE_NOT_FOUND for a provider that is not configured
 * @throws ProviderError when the provider cannot be reached
 */
export async function startProviderSignIn(
  { identityProviders, secrets }: Services,
  { provider: name, invitation, next }: Start,
): Promise<{ url: string; cookie: string }> {
  const provider = Object.hasOwn(identityProviders, name) && identityProviders[name as SignInProviderName];
  if (!provider) throw new AppError('RESOURCE_NOT_FOUND', 'This sign-in provider is not configured');
  const checks = provider.newChecks();
  const started = { provider: name as SignInProviderName, ...checks, invitation, next };
  return {
    url: await provider.authorizationUrl(checks),
    cookie: sealStartedSignIn(secrets, started, Date.now()),
  };
}
