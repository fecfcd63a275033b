export { deleteDocument } from './delete-document.ts';
export { listDocuments } from './list-documents.ts';
export { persistDocuments } from './persist-documents.ts';
export { readDocuments } from './read-documents.ts';
