/** What a customer reads about an unexpected error, whose text may come from the database or a key and stays in the log. */
export const internalReason = 'an internal error, described in the log of this installation';
