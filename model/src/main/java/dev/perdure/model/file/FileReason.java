package dev.perdure.model.file;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/** Why a file could not be used, in words for people: exceptions often say only which one. */
public final class FileReason {
  private FileReason() {}

  public static String of(IOException e) {
    if (e instanceof NoSuchFileException) {
      return "there is no such file or folder";
    }
    if (e instanceof FileAlreadyExistsException) {
      return "there is another file of that name";
    }
    if (e instanceof AccessDeniedException) {
      return "permission denied";
    }
    if (e instanceof NotDirectoryException) {
      return "this is no folder";
    }
    if (e instanceof DirectoryNotEmptyException) {
      return "the folder is not empty";
    }
    if (e instanceof FileSystemException named && named.getReason() != null) {
      return named.getReason();
    }
    return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
  }
}
