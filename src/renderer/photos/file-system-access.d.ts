/** Chromium's folder API beyond TypeScript's standard types. Feature-detected before use. */
interface FileSystemHandle {
  queryPermission(of: { readonly mode: 'read' }): Promise<PermissionState>;
  /** Requires a user gesture. */
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

/** Since Chromium 133. */
declare class FileSystemObserver {
  constructor(changed: () => void);
  observe(folder: FileSystemDirectoryHandle, how: { readonly recursive: boolean }): Promise<void>;
  disconnect(): void;
}
