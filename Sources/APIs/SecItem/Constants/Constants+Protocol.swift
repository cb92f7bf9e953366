// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
public import Foundation

/// The key of an internet password's protocol; the value is a four-character code.
@safe nonisolated(unsafe) public let kSecAttrProtocol: CFString = "ptcl"

/// AFP.
@safe nonisolated(unsafe) public let kSecAttrProtocolAFP: CFString = "afp "

/// AppleTalk.
@safe nonisolated(unsafe) public let kSecAttrProtocolAppleTalk: CFString = "atlk"

/// DAAP.
@safe nonisolated(unsafe) public let kSecAttrProtocolDAAP: CFString = "daap"

/// EPPC, remote Apple events.
@safe nonisolated(unsafe) public let kSecAttrProtocolEPPC: CFString = "eppc"

/// FTP.
@safe nonisolated(unsafe) public let kSecAttrProtocolFTP: CFString = "ftp "

/// An FTP account.
@safe nonisolated(unsafe) public let kSecAttrProtocolFTPAccount: CFString = "ftpa"

/// An FTP proxy.
@safe nonisolated(unsafe) public let kSecAttrProtocolFTPProxy: CFString = "ftpx"

/// FTP over TLS.
@safe nonisolated(unsafe) public let kSecAttrProtocolFTPS: CFString = "ftps"

/// HTTP.
@safe nonisolated(unsafe) public let kSecAttrProtocolHTTP: CFString = "http"

/// An HTTP proxy.
@safe nonisolated(unsafe) public let kSecAttrProtocolHTTPProxy: CFString = "htpx"

/// HTTP over TLS.
@safe nonisolated(unsafe) public let kSecAttrProtocolHTTPS: CFString = "htps"

/// An HTTPS proxy.
@safe nonisolated(unsafe) public let kSecAttrProtocolHTTPSProxy: CFString = "htsx"

/// IMAP.
@safe nonisolated(unsafe) public let kSecAttrProtocolIMAP: CFString = "imap"

/// IMAP over TLS.
@safe nonisolated(unsafe) public let kSecAttrProtocolIMAPS: CFString = "imps"

/// IPP, printing.
@safe nonisolated(unsafe) public let kSecAttrProtocolIPP: CFString = "ipp "

/// IRC.
@safe nonisolated(unsafe) public let kSecAttrProtocolIRC: CFString = "irc "

/// IRC over TLS.
@safe nonisolated(unsafe) public let kSecAttrProtocolIRCS: CFString = "ircs"

/// LDAP.
@safe nonisolated(unsafe) public let kSecAttrProtocolLDAP: CFString = "ldap"

/// LDAP over TLS.
@safe nonisolated(unsafe) public let kSecAttrProtocolLDAPS: CFString = "ldps"

/// NNTP.
@safe nonisolated(unsafe) public let kSecAttrProtocolNNTP: CFString = "nntp"

/// NNTP over TLS.
@safe nonisolated(unsafe) public let kSecAttrProtocolNNTPS: CFString = "ntps"

/// POP3.
@safe nonisolated(unsafe) public let kSecAttrProtocolPOP3: CFString = "pop3"

/// POP3 over TLS.
@safe nonisolated(unsafe) public let kSecAttrProtocolPOP3S: CFString = "pops"

/// RTSP.
@safe nonisolated(unsafe) public let kSecAttrProtocolRTSP: CFString = "rtsp"

/// An RTSP proxy.
@safe nonisolated(unsafe) public let kSecAttrProtocolRTSPProxy: CFString = "rtsx"

/// SMB.
@safe nonisolated(unsafe) public let kSecAttrProtocolSMB: CFString = "smb "

/// SMTP.
@safe nonisolated(unsafe) public let kSecAttrProtocolSMTP: CFString = "smtp"

/// SOCKS.
@safe nonisolated(unsafe) public let kSecAttrProtocolSOCKS: CFString = "sox "

/// SSH.
@safe nonisolated(unsafe) public let kSecAttrProtocolSSH: CFString = "ssh "

/// Telnet.
@safe nonisolated(unsafe) public let kSecAttrProtocolTelnet: CFString = "teln"

/// Telnet over TLS.
@safe nonisolated(unsafe) public let kSecAttrProtocolTelnetS: CFString = "tels"
#endif
