/** The page of one name, within the project. A name may be anything, `..` too, so it is no part of the path. */
export const eventPath = (name: string): string => `events/of?name=${encodeURIComponent(name)}`;
