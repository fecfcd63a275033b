/** The page of one event name, within the project. A name can be any text, even `..`, so it is a query parameter. */
export const eventPath = (name: string): string => `events/of?name=${encodeURIComponent(name)}`;
