import { ImageGrid } from '../features/common/media/image-grid.tsx';
import { UploadArea } from '../features/common/media/upload-area.tsx';
import { UploadButton } from '../features/common/media/upload-button.tsx';
import { useImageUploads } from '../features/common/media/use-image-uploads.ts';
import { useImages } from '../features/common/media/use-images.ts';
import { useListState } from '../lib/use-list-state.ts';
import { ListFrame } from '../ui/list-frame.tsx';
import { Page } from '../ui/page.tsx';

export function Component() {
  const state = useListState();
  const { list, images, total } = useImages(state.search);
  const { uploads, dismiss, upload } = useImageUploads();
  const isEmpty = list.isSuccess && images.length === 0 && !state.isFiltered();
  return (
    <Page
      title="Media"
      intro="Images for your emails. Every image has a public address and can be up to 10 MB."
      actions={!isEmpty && <UploadButton primary onFiles={upload} />}
    >
      <UploadArea uploads={uploads} onDismiss={dismiss} onFiles={upload}>
        <ListFrame
          label="Images"
          search={{ label: 'Search by name', text: state.text, onChange: state.setText }}
          query={list}
          shown={images.length}
          isFiltered={state.isFiltered()}
          onClear={state.clear}
          empty={{
            icon: 'image',
            title: 'No images yet',
            text: <p>Upload JPEG, PNG, GIF or WebP images, or drop them here.</p>,
            action: <UploadButton primary onFiles={upload} />,
          }}
          more={{ query: list, total }}
        >
          <ImageGrid images={images} />
        </ListFrame>
      </UploadArea>
    </Page>
  );
}
