import { deleteUpload, listUploads, uploadImage } from '@postrider/core/content/uploads';
import { deletionField, mutationField } from './fields.ts';
import { connectionField } from './lists.ts';
import { objectFromZod } from './object-from-zod.ts';

const Image = objectFromZod(listUploads.output.shape.data.element);

connectionField('images', listUploads, Image, ({ createdAt }) => createdAt);
mutationField('uploadImage', uploadImage, objectFromZod(uploadImage.output));
deletionField('deleteImage', deleteUpload);
