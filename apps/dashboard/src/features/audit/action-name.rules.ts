const words = (name: string): string =>
  name.replaceAll('_', ' ').replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** An operation in words: `contacts.bulkSubscribe` is "Contacts: bulk subscribe". */
export function actionName(operation: string): string {
  const [area = '', verb = ''] = operation.split('.');
  return `${area.charAt(0).toUpperCase()}${words(area.slice(1))}: ${words(verb)}`;
}
