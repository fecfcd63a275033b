import { type Context, invalid } from '../../base/kernel/index.ts';

/** Refuses a URL that can only lead to a private address; any other name is resolved at each attempt (behaviour B6.5). */
export function assertReachable({ services }: Context, url: string): void {
  if (services.http.mayReach(url)) return;
  throw invalid([
    {
      field: 'url',
      code: 'invalid_string',
      message:
        'Must be reachable from the public internet: this address is private. An operator can allow it with WEBHOOK_ALLOWED_HOSTS',
    },
  ]);
}
