import { deleteDocument, listDocuments, persistDocuments } from '@postrider/core/base/documents';
import { deletionField, mutationField, queryField } from './fields.ts';
import { objectFromZod } from './object-from-zod.ts';

const PersistedDocument = objectFromZod(listDocuments.output.element);

queryField('persistedDocuments', listDocuments, [PersistedDocument]);
mutationField('persistDocuments', persistDocuments, [PersistedDocument]);
deletionField('deletePersistedDocument', deleteDocument);
