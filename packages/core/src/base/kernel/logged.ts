import { z } from 'zod';

/**
 * How the request log shows what a schema describes (behaviour B11.9). Booleans, numbers, enums, dates, ids and addresses show themselves by
 * their type; any other text is replaced by its length unless its schema is registered here, which its described and refined copies keep.
 *
 * - `text`: as it is, for names that programs give, such as that of an event; never for what people write or keep secret
 * - `name`: as it is if it is an id or has the form of an alias, of letters, digits, `.`, `_` and `-`
 * - `mailbox`: `a…@example.net`, of an address or a mailbox in any of its forms
 * - `file`: its size and type
 * - `email`: the id of an email, by which its request is found
 */
export const logged = z.registry<{ as: 'text' | 'name' | 'mailbox' | 'file' | 'email' }>();
