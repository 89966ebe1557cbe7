import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.apache.commons.compress.archivers.zip.ZipArchiveOutputStream;

/** Packs the folder `m` into `$OUT` with commons-compress, which is not told how long a file is. */
class Write {
    public static void main(String[] arguments) throws Exception {
        List<Path> files;
        try (Stream<Path> paths = Files.walk(Path.of("m"))) {
            files = paths.filter(Files::isRegularFile).sorted().collect(Collectors.toList());
        }
        try (ZipArchiveOutputStream out = new ZipArchiveOutputStream(new File(System.getenv("OUT")))) {
            for (Path file : files) {
                ZipArchiveEntry entry = new ZipArchiveEntry(file.toString());
                entry.setUnixMode(Files.isExecutable(file) && file.endsWith("run.sh") ? 0100755 : 0100644);
                out.putArchiveEntry(entry);
                Files.copy(file, out);
                out.closeArchiveEntry();
            }
        }
    }
}
