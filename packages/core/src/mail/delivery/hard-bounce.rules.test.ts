import { describe, expect, it } from 'vitest';
import { classifyHardBounce } from './hard-bounce.rules.ts';

describe('a hard bounce', () => {
  it.each([
    [550, '5.1.1', '550 5.1.1 rejected'],
    [550, '5.1.2', '550 5.1.2 bad destination system'],
    [553, '5.1.3', '553 5.1.3 bad address syntax'],
    [550, '5.1.10', '550 5.1.10 RESOLVER.ADR.RecipientNotFound'],
    [551, '5.1.1', '551 5.1.1 not local'],
    [550, null, '550 No such user here'],
    [550, null, '550 User unknown'],
    [550, null, '550 <joe@example.com>: Recipient address rejected: User unknown in virtual mailbox table'],
    [550, '5.5.0', '550 5.5.0 mailbox not found'],
    [550, '5.0.0', '550 5.0.0 <joe@example.com>... User unknown'],
    [550, null, '550-The email account that you tried to reach\n550 does not exist.'],
    [553, null, '553 sorry, no mailbox here by that name'],
    [550, null, '550 Unrouteable address'],
    [550, null, "550 This user doesn't have a example.com account (joe@example.com)"],
    [550, null, '550 joe@example.com is not a valid mailbox'],
  ])('%i %s: %s', (code, enhancedCode, response) => {
    expect(classifyHardBounce(code, enhancedCode, response)).toBe(true);
  });
});

describe('not a hard bounce', () => {
  it.each([
    [450, '4.1.1', '450 4.1.1 user unknown'],
    [552, '5.1.1', '552 5.1.1 user unknown'],
    [554, null, '554 no such user'],
    [550, '5.7.1', '550 5.7.1 Recipient not found on the allow list; no such user'],
    [550, '5.2.1', '550 5.2.1 The account that you tried to reach is disabled'],
    [552, '5.2.2', '552 5.2.2 mailbox full'],
    [550, null, '550 Requested action not taken: mailbox unavailable'],
    [550, null, '550 Message rejected as spam'],
    [550, null, '550 Sender address rejected: user unknown'],
    [553, '5.1.8', '553 5.1.8 Domain of sender address does not exist'],
    [550, null, '550 Mail from this address: account does not exist'],
    [550, null, '550 blocked; the domain example.com does not exist'],
  ])('%i %s: %s', (code, enhancedCode, response) => {
    expect(classifyHardBounce(code, enhancedCode, response)).toBe(false);
  });
});
