import { describe, expect, it } from 'vitest';
import type { Actor, Role } from './actor.ts';
import { AppError } from './errors.ts';
import { assertPermission, type Permission } from './permissions.ts';

const key = (type: 'public' | 'secret'): Actor => ({ type: 'key', key: type, projectId: 'p' });
const user = (role: Role | null, emailVerified = true): Actor => ({
  type: 'user',
  userId: 'u',
  emailVerified,
  projectId: role && 'p',
  role,
});

/** The code of the refusal, or `yes`. */
function ask(actor: Actor, permission: Permission): string {
  try {
    assertPermission(actor, permission);
    return 'yes';
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
}

describe('roles and the secret key (B5.4)', () => {
  const no = 'FORBIDDEN';
  const noKey = 'UNAUTHORIZED';
  it.each<[Permission, string, string, string, string]>([
    ['data:read', 'yes', 'yes', 'yes', 'yes'],
    ['data:write', 'yes', 'yes', 'yes', 'yes'],
    ['mail:send', 'yes', 'yes', 'yes', 'yes'],
    ['domains:read', 'yes', 'yes', 'yes', 'yes'],
    ['domains:write', no, 'yes', 'yes', 'yes'],
    ['project:read', 'yes', 'yes', 'yes', 'yes'],
    ['project:settings', no, 'yes', 'yes', noKey],
    ['members:write', no, 'yes', 'yes', noKey],
    ['billing:read', 'yes', 'yes', 'yes', noKey],
    ['billing:write', no, 'yes', 'yes', noKey],
    ['account', 'yes', 'yes', 'yes', noKey],
  ])('%s: MEMBER %s, ADMIN %s, OWNER %s, secret key %s', (permission, member, admin, owner, secret) => {
    expect(ask(user('MEMBER'), permission)).toBe(member);
    expect(ask(user('ADMIN'), permission)).toBe(admin);
    expect(ask(user('OWNER'), permission)).toBe(owner);
    expect(ask(key('secret'), permission)).toBe(secret);
  });
});

describe('keys (B5.1)', () => {
  it('only a public key tracks events', () => {
    expect(ask(key('public'), 'events:track')).toBe('yes');
    expect(ask(key('secret'), 'events:track')).toBe('INVALID_API_KEY');
    expect(ask(user('OWNER'), 'events:track')).toBe('MISSING_AUTH');
    expect(ask({ type: 'anonymous' }, 'events:track')).toBe('MISSING_AUTH');
    expect(() => assertPermission(key('secret'), 'events:track')).toThrow('public key is required');
  });

  it.each<Permission>(['data:read', 'mail:send', 'project:settings', 'account', 'self'])(
    'a public key is refused for %s, and told that a secret key is needed',
    (permission) => {
      expect(ask(key('public'), permission)).toBe('INVALID_API_KEY');
      expect(() => assertPermission(key('public'), permission)).toThrow('secret key is required');
    },
  );
});

describe('sessions (B5.2)', () => {
  it('a user without a role in the project has no access to it', () => {
    expect(ask(user(null), 'data:read')).toBe('PROJECT_ACCESS_DENIED');
    expect(ask(user(null), 'account')).toBe('yes');
  });

  it('an unverified address may only see its own account', () => {
    expect(ask(user('OWNER', false), 'data:read')).toBe('EMAIL_VERIFICATION_REQUIRED');
    expect(ask(user(null, false), 'account')).toBe('EMAIL_VERIFICATION_REQUIRED');
    expect(ask(user(null, false), 'self')).toBe('yes');
    expect(ask(user(null, false), 'public')).toBe('yes');
  });

  it('without a credential only public operations are allowed', () => {
    expect(ask({ type: 'anonymous' }, 'data:read')).toBe('MISSING_AUTH');
    expect(ask({ type: 'anonymous' }, 'account')).toBe('MISSING_AUTH');
    expect(ask({ type: 'anonymous' }, 'public')).toBe('yes');
  });
});

it('internal operations are only for the system', () => {
  const system: Actor = { type: 'system', projectId: null };
  expect(ask(system, 'internal')).toBe('yes');
  expect(ask(system, 'members:write')).toBe('yes');
  for (const actor of [user('OWNER'), key('secret'), key('public'), { type: 'anonymous' } as const]) {
    expect(ask(actor, 'internal')).toBe('FORBIDDEN');
  }
});
