import { defineRule } from '../rule.rules.ts';

/** Large mailbox providers reject bulk email from a domain without DMARC (RFC 7489). */
export const dmarcRule = defineRule({
  name: 'dmarc',
  level: 'warning',
  needs: ['lacksDmarc'],
  check: ({ lacksDmarc }) =>
    lacksDmarc === null
      ? []
      : [
          {
            field: 'from',
            message: `The domain ${lacksDmarc} has no DMARC record, and large mailbox providers reject bulk email without one; create it as the page of the domain shows.`,
            details: { domain: lacksDmarc },
          },
        ],
});
