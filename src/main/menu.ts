/** The application menu: the system's own roles only, in the system's own words. */
import { Menu, type MenuItemConstructorOptions } from 'electron';

const template = (mac: boolean): MenuItemConstructorOptions[] => [
  ...(mac ? [{ role: 'appMenu' } as const] : []),
  { role: 'fileMenu' },
  { role: 'editMenu' },
  {
    role: 'viewMenu',
    submenu: [
      { role: 'reload' },
      { type: 'separator' },
      { role: 'resetZoom' },
      { role: 'zoomIn' },
      { role: 'zoomOut' },
      { type: 'separator' },
      { role: 'togglefullscreen' },
    ],
  },
  { role: 'windowMenu' },
];

export const setMenu = (): void =>
  Menu.setApplicationMenu(Menu.buildFromTemplate(template(process.platform === 'darwin')));
