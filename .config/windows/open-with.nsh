; Windows offers Spotter under "Open with" for a zip, which may be an export of Spotter; a zip opens as before otherwise.
; Names of electron-builder: SHELL_CONTEXT is the user's part of the registry, or everybody's where it is installed for all.
!macro customInstall
  WriteRegStr SHELL_CONTEXT "Software\Classes\Spotter.export" "" "Spotter export"
  WriteRegStr SHELL_CONTEXT "Software\Classes\Spotter.export\shell\open\command" "" '"$INSTDIR\${APP_EXECUTABLE_FILENAME}" "%1"'
  WriteRegStr SHELL_CONTEXT "Software\Classes\.zip\OpenWithProgids" "Spotter.export" ""
!macroend
!macro customUnInstall
  DeleteRegValue SHELL_CONTEXT "Software\Classes\.zip\OpenWithProgids" "Spotter.export"
  DeleteRegKey SHELL_CONTEXT "Software\Classes\Spotter.export"
  ; A start names Spotter for its links and, where that is chosen, for the start of the system (src/main/run.ts, at-login.ts). An update keeps both.
  ${ifNot} ${isUpdated}
    DeleteRegKey HKCU "Software\Classes\spotter"
    DeleteRegValue HKCU "Software\Microsoft\Windows\CurrentVersion\Run" "${APP_ID}"
  ${endIf}
!macroend
