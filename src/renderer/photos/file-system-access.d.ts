/** What Chromium knows of folders beyond the standard that TypeScript ships: asked for before it is used. */
interface FileSystemHandle {
  queryPermission(of: { readonly mode: 'read' }): Promise<PermissionState>;
  /** Only after a press. */
  requestPermission(of: { readonly mode: 'read' }): Promise<PermissionState>;
}

interface DataTransferItem {
  getAsFileSystemHandle?(): Promise<FileSystemHandle | null>;
}

interface Window {
  showDirectoryPicker?(how: {
    readonly id: string;
    readonly mode: 'read';
    readonly startIn: 'pictures';
  }): Promise<FileSystemDirectoryHandle>;
}

/** From Chromium 133 on. */
declare class FileSystemObserver {
  constructor(changed: () => void);
  observe(folder: FileSystemDirectoryHandle, how: { readonly recursive: boolean }): Promise<void>;
  disconnect(): void;
}
