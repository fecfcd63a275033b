import type { Actor, KeyScope, Role } from './actor.ts';
import { AppError } from './errors.ts';

/** The permission table (behaviour B5.4). `secretKey`: also granted to a secret key of the project. */
interface Grant {
  scope: 'project' | 'account' | 'public' | 'internal';
  roles?: readonly Role[];
  secretKey?: boolean;
  publicKey?: boolean;
  /** scopes of named keys that include it (behaviour B11.2); `full` includes whatever `secretKey` or `publicKey` grants */
  keyScopes?: readonly KeyScope[];
  /** granted before the user's address is verified (behaviour B5.2) */
  unverified?: boolean;
}

const everyone = ['OWNER', 'ADMIN', 'MEMBER'] as const;
const leaders = ['OWNER', 'ADMIN'] as const;

export const permissions = {
  /** contacts, templates, campaigns, segments, workflows, events, uploads, suppressions, emails, analytics, activity, requests */
  'data:read': { scope: 'project', roles: everyone, secretKey: true, keyScopes: ['read', 'agent'] },
  /** one email by its id: also for the key that sent it */
  'email:read': { scope: 'project', roles: everyone, secretKey: true, keyScopes: ['read', 'send', 'agent'] },
  'data:write': { scope: 'project', roles: everyone, secretKey: true, keyScopes: ['agent'] },
  /** `/v1/send`, `/v1/verify` */
  'mail:send': { scope: 'project', roles: everyone, secretKey: true, keyScopes: ['send', 'agent'] },
  /** `/v1/track`: the only permission of a public key, and of nothing else */
  'events:track': { scope: 'project', publicKey: true, keyScopes: ['track'] },
  /** `POST /graphql`: each field then requires the permission of its operation */
  'graphql:open': {
    scope: 'project',
    roles: everyone,
    secretKey: true,
    keyScopes: ['read', 'send', 'agent'],
  },
  'domains:read': { scope: 'project', roles: everyone, secretKey: true, keyScopes: ['read', 'agent'] },
  'domains:write': { scope: 'project', roles: leaders, secretKey: true },
  'webhooks:read': { scope: 'project', roles: everyone, secretKey: true, keyScopes: ['read', 'agent'] },
  'webhooks:write': { scope: 'project', roles: leaders, secretKey: true, keyScopes: ['agent'] },
  /** setup state, security, members */
  'project:read': { scope: 'project', roles: everyone, secretKey: true, keyScopes: ['read', 'agent'] },
  'audit:read': { scope: 'project', roles: leaders, secretKey: true, keyScopes: ['read', 'agent'] },
  /** addresses of clients in the consent log, evidence, and what is stored of one person */
  'privacy:manage': { scope: 'project', roles: leaders, secretKey: true },
  /** agreeing to a call of an agent: the operation asks for a role of its own, too */
  'approvals:decide': { scope: 'project', roles: everyone },
  /** approving a campaign that another has asked for, and another has changed last */
  'campaigns:approve': { scope: 'project', roles: leaders },
  'project:settings': { scope: 'project', roles: leaders },
  'members:write': { scope: 'project', roles: leaders },
  'billing:read': { scope: 'project', roles: everyone },
  'billing:write': { scope: 'project', roles: leaders },
  /** account operations of a signed-in user, independent of any project */
  account: { scope: 'account' },
  /** reading one's own account before its address is verified */
  self: { scope: 'account', unverified: true },
  public: { scope: 'public' },
  /** workers, seeds, the command line */
  internal: { scope: 'internal' },
} as const satisfies Record<string, Grant>;

export type Permission = keyof typeof permissions;

/**
 * Throws unless the actor has the permission. The system actor has all of them.
 *
 * @throws AppError MISSING_AUTH, INVALID_API_KEY, UNAUTHORIZED, EMAIL_VERIFICATION_REQUIRED, PROJECT_ACCESS_DENIED or FORBIDDEN
 */
export function assertPermission(actor: Actor, permission: Permission): void {
  const grant: Grant = permissions[permission];
  if (actor.type === 'system' || grant.scope === 'public') return;
  if (grant.scope === 'internal') throw new AppError('FORBIDDEN', 'This operation is internal');
  if (actor.type === 'anonymous') throw missingAuth();
  if (actor.type === 'key') {
    assertKey(actor, grant);
    return;
  }
  if (grant.publicKey) throw missingAuth();
  if (!actor.emailVerified && !grant.unverified) {
    throw new AppError('EMAIL_VERIFICATION_REQUIRED', 'Your email address is not verified yet', {
      suggestion: 'Open the link in the verification email, or request a new one',
    });
  }
  if (grant.scope === 'account') return;
  if (actor.role === null) throw new AppError('PROJECT_ACCESS_DENIED', 'You have no access to this project');
  if (!grant.roles?.includes(actor.role)) {
    throw new AppError('FORBIDDEN', `Your role (${actor.role}) does not allow this`, {
      suggestion: 'Ask an admin or the owner of the project',
    });
  }
}

/** Whether the actor has the permission. */
export function isPermitted(actor: Actor, permission: Permission): boolean {
  try {
    assertPermission(actor, permission);
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

export const missingAuth = (): AppError => new AppError('MISSING_AUTH', 'Authentication is required');

/** The error for a key of the wrong type; the message names the right one. */
export const wrongKeyType = (required: 'public' | 'secret'): AppError =>
  required === 'secret'
    ? new AppError('INVALID_API_KEY', 'A secret key is required, not a public key', {
        suggestion: 'Use the secret key of the project (sk_…), and only on a server',
      })
    : new AppError('INVALID_API_KEY', 'A public key is required, not a secret key', {
        suggestion: 'Use the public key of the project (pk_…)',
      });

type KeyActor = Extract<Actor, { type: 'key' }>;

function assertKey({ key, named }: KeyActor, grant: Grant): void {
  if (key === 'public' && !grant.publicKey) throw wrongKeyType('secret');
  if (key === 'secret' && grant.publicKey) throw wrongKeyType('public');
  if (key === 'secret' && (grant.scope === 'account' || !grant.secretKey)) {
    throw new AppError('UNAUTHORIZED', 'This endpoint requires a signed-in user, not an API key');
  }
  if (!named || named.scope === 'full' || grant.keyScopes?.includes(named.scope)) return;
  throw outOfScope(named.scope);
}

const outOfScope = (scope: KeyScope): AppError =>
  new AppError('FORBIDDEN', `The scope of this key (${scope}) does not allow this`, {
    suggestion: 'Use a key with a wider scope',
  });

/**
 * Refuses a key of scope `read` for every request that its door declares to be a change, whatever the operation is: GraphQL mutations,
 * and every method but GET in REST.
 *
 * @throws AppError FORBIDDEN
 */
export function assertMayMutate(actor: Actor): void {
  if (actor.type === 'key' && actor.named?.scope === 'read') throw outOfScope('read');
}

/**
 * Refuses a sender address outside the domains of a named key (behaviour B11.2).
 *
 * @throws AppError FORBIDDEN naming the domain
 */
export function assertSenderAllowed(actor: Actor, from: string): void {
  if (actor.type !== 'key' || !actor.named?.domains) return;
  const domain = from.slice(from.lastIndexOf('@') + 1).toLowerCase();
  if (actor.named.domains.includes(domain)) return;
  throw new AppError('FORBIDDEN', `This key may not send from ${domain}`, {
    suggestion: `Send from ${actor.named.domains.join(', ')}, or use another key`,
  });
}

/** Whether the caller is a key whose changes may have to wait for a person (behaviour B15.11). */
export const isAgent = (actor: Actor): boolean => actor.type === 'key' && actor.named?.scope === 'agent';
