; Adds Spotter to "Open with" for zip files, because an export of Spotter is a zip. The default program for zip files stays.
; SHELL_CONTEXT (electron-builder) is HKCU, or HKLM if Spotter is installed for all users.
!macro customInstall
  WriteRegStr SHELL_CONTEXT "Software\Classes\Spotter.export" "" "Spotter export"
  WriteRegStr SHELL_CONTEXT "Software\Classes\Spotter.export\shell\open\command" "" '"$INSTDIR\${APP_EXECUTABLE_FILENAME}" "%1"'
  WriteRegStr SHELL_CONTEXT "Software\Classes\.zip\OpenWithProgids" "Spotter.export" ""
!macroend
!macro customUnInstall
  DeleteRegValue SHELL_CONTEXT "Software\Classes\.zip\OpenWithProgids" "Spotter.export"
  DeleteRegKey SHELL_CONTEXT "Software\Classes\Spotter.export"
  ; The app itself registers spotter:// links and, by a setting, its start with Windows (src/main/run.ts, src/main/system/at-login.ts).
  ; An update, which also runs this macro, keeps both.
  ${ifNot} ${isUpdated}
    DeleteRegKey HKCU "Software\Classes\spotter"
    DeleteRegValue HKCU "Software\Microsoft\Windows\CurrentVersion\Run" "${APP_ID}"
  ${endIf}
!macroend
