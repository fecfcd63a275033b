import { asciiDomain } from '../message/index.ts';

/** An address that every domain has, or that of feedback loops. */
export interface RoleAddress {
  role: 'postmaster' | 'abuse' | 'fbl';
  /** the sender domain at whose `bounces.<domain>` it is; null for the name of the mail server itself */
  domain: string | null;
}

const ROLE_ADDRESS = /^(postmaster|abuse|fbl)@([^@\s]{1,253})$/;
const ENVELOPE_HOST = /^bounces\.(.+)$/;

/** @returns null for every other address (behaviour B11.7; RFC 5321 4.5.1 for `postmaster` without a domain) */
export function roleAddressOf(address: string, mailHost: string): RoleAddress | null {
  const given = address.trim().toLowerCase();
  if (given === 'postmaster') return { role: 'postmaster', domain: null };
  const [, role, host = ''] = ROLE_ADDRESS.exec(given) ?? [];
  if (role === undefined) return null;
  const name = asciiDomain(host.replace(/\.$/, '')).toLowerCase();
  if (host === mailHost.toLowerCase() || name === mailHost.toLowerCase())
    return { role: role as RoleAddress['role'], domain: null };
  const [, domain] = ENVELOPE_HOST.exec(name) ?? [];
  return domain === undefined ? null : { role: role as RoleAddress['role'], domain };
}
